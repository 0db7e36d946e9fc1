"""The pieces of an input pipeline; each takes what the one before it returned."""
# ruff: noqa: D103 - to find out what each does is the learner's work


def batch_rows(data, strategy, batch):
    return data.batch(batch)


def batch_share(data, strategy, batch):
    return data.batch(batch // strategy.num_replicas_in_sync)


def full_batches(data, strategy, batch):
    return data.batch(batch, drop_remainder=True)


def shard_rows(data, strategy, batch):
    return data.shard(strategy.num_replicas_in_sync, index=0)


def repeat_rows(data, strategy, batch):
    return data.repeat()


def from_function(data, strategy, batch):
    return strategy.distribute_datasets_from_function(lambda context: data)


def distribute(data, strategy, batch):
    return strategy.experimental_distribute_dataset(data)


def pull_inside(data, strategy, batch):
    iterator = iter(data)
    while True:
        try:
            yield strategy.run(lambda: next(iterator))
        except StopIteration:  # some replica found no batch: the step has failed
            return
