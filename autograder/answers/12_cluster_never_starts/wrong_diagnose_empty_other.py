"""An empty one also has another cluster."""

EXPECT = {"12/my_diagnose": "WRONG empty_is_another_cluster"}


def my_diagnose(configs):
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    clusters = [config.get("cluster") for config in configs]
    indices = [config.get("task", {}).get("index", -1) for config in configs]
    for worker, config in enumerate(configs):
        index, hosts = indices[worker], config.get("cluster", {}).get("worker", [])
        codes = {
            "other cluster": 2 * clusters.count(clusters[worker]) <= len(configs),
            "no task": index < 0,
            "index out of range": index >= len(hosts),
            "index twice": index >= 0 and indices.count(index) > 1,
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
        if not config:
            found.add((worker, "other cluster"))
    return found
