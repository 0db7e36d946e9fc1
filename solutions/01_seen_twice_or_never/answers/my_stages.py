"""Answers to 01/my_stages, right and wrong, and what the check says of each."""

from autograder.answers import crashed, right, wrong


@right
def stages_distribute():
    """Global batches, distributed."""
    return [batch_rows, distribute]


@right
def share_in_turn():
    """Per-replica batches, taken in turn."""
    return [batch_share, from_function]


def dealt(rows, strategy):
    n = strategy.num_replicas_in_sync
    return strategy.experimental_distribute_values_from_function(
        lambda context: rows[context.replica_id_in_sync_group :: n]
    )


def deal(data, strategy, batch):
    return (dealt(rows, strategy) for rows in data)


@right
def slices():
    """A stage of one's own: every n-th row of the batch for each replica."""
    return [batch_rows, deal]


def apart(data, strategy, batch):
    return data.unbatch()


@right
def unbatched_again():
    """Batch, take apart, batch by the share: a detour that is right."""
    stages = [batch_rows]
    stages.append(apart)
    stages += [batch_share, from_function]
    return tuple(stages)


@wrong("batches_sharded")
def batches_sharded():
    """Batch first, then shard, then distribute."""
    return [batch_rows, shard_rows, distribute]


@wrong("batches_sharded_not_distributed")
def batches_sharded_plain():
    """Batch first, then shard."""
    return [batch_rows, shard_rows]


@crashed
def called():
    """Call the functions, as their names would be used elsewhere."""
    return [batch_rows(), distribute()]


@wrong("nothing_batched")
def empty():
    """No stage at all."""
    return []


@wrong("full_global_batch_to_each")
def full_in_turn():
    """Full global batches, taken in turn."""
    return [full_batches, from_function]


@wrong("full_not_distributed")
def full_only():
    """No smaller last batch, not distributed."""
    return [full_batches]


@crashed
def function_first():
    """Batch what is distributed already."""
    return [from_function, batch_share]


@wrong("global_batch_to_each")
def global_in_turn():
    """Global batches, taken in turn."""
    return [batch_rows, from_function]


@wrong
def names():
    """Names in quotes."""
    return ["batch_rows", "distribute"]


@wrong("next_in_run")
def stages_next():
    """Call next inside run."""
    return [batch_rows, pull_inside]


@wrong
def nothing():
    """Forget to return the list."""
    stages = [batch_rows, distribute]
    print(len(stages))


def given_to_first(rows, strategy):
    return strategy.experimental_distribute_values_from_function(
        lambda context: rows if context.replica_id_in_sync_group == 0 else rows[:0]
    )


def to_first(data, strategy, batch):
    return (given_to_first(rows, strategy) for rows in data)


@wrong
def one_replica_works():
    """All rows to replica 0: each row once, but the work is not shared."""
    return [batch_rows, to_first]


@wrong("never_ends")
def repeat():
    """Repeat for ever."""
    return [batch_rows, repeat_rows, distribute]


@wrong("never_ends")
def repeat_first():
    """Repeat before the batches."""
    return [repeat_rows, batch_share, from_function]


@wrong("not_distributed")
def same_result():
    """Other code, the shipped result."""
    stages = []
    stages.append(batch_rows)
    return stages


@wrong("one_shard_only")
def shard_distribute():
    """Shard 0, distributed."""
    return [shard_rows, batch_rows, distribute]


@wrong("one_shard_global_batch_to_each")
def shard_global_in_turn():
    """Shard 0, global batches in turn."""
    return [shard_rows, batch_rows, from_function]


@wrong("one_shard_only")
def shard_in_turn():
    """Shard 0, taken in turn."""
    return [shard_rows, batch_share, from_function]


@wrong("one_shard_not_distributed")
def shard_plain():
    """Shard 0 for everybody."""
    return [shard_rows, batch_rows]


@wrong("one_shard_share_not_distributed")
def shard_share_plain():
    """Shard 0 for everybody, in smaller batches."""
    return [shard_rows, batch_share]


@wrong("one_shard_split_again")
def shard_split_again():
    """Shard 0, per-replica batches split."""
    return [shard_rows, batch_share, distribute]


@wrong("shares_next_in_run")
def share_next():
    """Per-replica batches, with next inside run."""
    return [batch_share, pull_inside]


@wrong("share_not_distributed")
def share_only():
    """Smaller batches, not distributed."""
    return [batch_share]


@wrong("shares_sharded")
def shares_sharded():
    """Per-replica batches, sharded, in turn."""
    return [batch_share, shard_rows, from_function]


@wrong("one_row_each")
def single_rows():
    """Single rows, taken in turn."""
    return [from_function]


def later(data, strategy, batch):
    return data.skip(1)


@wrong
def skips_a_row():
    """A stage of one's own loses row 0: no known mistake."""
    return [later, batch_rows, distribute]


@wrong("share_split_again")
def split_again():
    """Per-replica batches, split once more."""
    return [batch_share, distribute]


@wrong("tail_lost")
def tail_lost():
    """Full batches only."""
    return [full_batches, distribute]


@crashed
def twice():
    """Batches of batches."""
    return [batch_rows, batch_share, distribute]


@crashed
def wrong_order():
    """Distribute what is not batched."""
    return [distribute, batch_rows]
