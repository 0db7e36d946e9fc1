"""Index 0 counts as none."""

EXPECT = {"12/my_diagnose": "WRONG index_0_is_none"}


def my_diagnose(configs):
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    clusters = [config.get("cluster") for config in configs]
    indices = [config.get("task", {}).get("index", -1) for config in configs]
    for worker, config in enumerate(configs):
        index, hosts = indices[worker], config.get("cluster", {}).get("worker", [])
        codes = {
            "other cluster": 2 * clusters.count(clusters[worker]) <= len(configs),
            "no task": not config.get("task", {}).get("index"),
            "index out of range": index >= len(hosts),
            "index twice": index >= 0 and indices.count(index) > 1,
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
    return found
