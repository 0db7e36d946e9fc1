"""A text with holes; the index is a text, which TensorFlow reads as a number."""

EXPECT = {"12/my_tf_configs": "RIGHT"}


def my_tf_configs(hosts):
    listed = ", ".join(f'"{host}"' for host in hosts)
    text = '{"cluster": {"worker": [LISTED]}, "task": {"type": "worker", "index": "K"}}'
    return [
        text.replace("LISTED", listed).replace("K", str(k)) for k in range(len(hosts))
    ]
