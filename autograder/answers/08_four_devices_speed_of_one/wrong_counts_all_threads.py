"""All operations, by thread."""

EXPECT = {"08/my_counts": "WRONG all_events_by_thread"}


def my_counts(events, replicas):
    threads = [thread for thread, _ in events]
    return [threads.count(thread) for thread in sorted(set(threads))]
