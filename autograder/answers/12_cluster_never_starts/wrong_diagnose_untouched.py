"""The shipped code under its new name."""

EXPECT = {"12/my_diagnose": "NOT ATTEMPTED"}


def my_diagnose(configs):
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    tasks = [config.get("task") for config in configs]
    for worker, config in enumerate(configs):
        hosts = config.get("cluster", {}).get("worker", [])
        index = config.get("task", {}).get("index", -1)
        codes = {
            "other cluster": config.get("cluster") != configs[0].get("cluster"),
            "no task": index < 0,
            "index out of range": index > len(hosts),
            "index twice": config.get("task") in tasks[:worker],
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
    return found
