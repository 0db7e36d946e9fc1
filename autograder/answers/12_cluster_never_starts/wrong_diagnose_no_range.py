"""No index is too large."""

EXPECT = {"12/my_diagnose": "WRONG never_index_out_of_range"}


def my_diagnose(configs):
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    clusters = [config.get("cluster") for config in configs]
    indices = [config.get("task", {}).get("index", -1) for config in configs]
    for worker, config in enumerate(configs):
        index = indices[worker]
        codes = {
            "other cluster": 2 * clusters.count(clusters[worker]) <= len(configs),
            "no task": index < 0,
            "index twice": index >= 0 and indices.count(index) > 1,
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
    return found
