"""Workers without an index count as twins."""

EXPECT = {"12/my_diagnose": "WRONG missing_index_twice"}


def my_diagnose(configs):
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    clusters = [config.get("cluster") for config in configs]
    indices = [config.get("task", {}).get("index") for config in configs]
    for worker, config in enumerate(configs):
        index, hosts = indices[worker], config.get("cluster", {}).get("worker", [])
        codes = {
            "other cluster": 2 * clusters.count(clusters[worker]) <= len(configs),
            "no task": index is None,
            "index out of range": index is not None and index >= len(hosts),
            "index twice": indices.count(index) > 1,
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
    return found
