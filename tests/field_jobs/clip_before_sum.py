"""The step points elsewhere: each replica clips its own gradient, before the sum.

https://github.com/LeelaChessZero/lczero-training/pull/162
"""

import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, halves)
strategy = tf.distribute.MirroredStrategy(
    ["CPU:0", "CPU:1"], cross_device_ops=tf.distribute.ReductionToOneDevice()
)
x = tf.random.stateless_normal([16, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True) ** 2


class Clipping(tf.keras.Sequential):
    def train_step(self, data):
        rows, labels = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=labels, y_pred=self(rows, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        # instead: context = tf.distribute.get_replica_context()
        # instead: gradients = context.all_reduce("sum", gradients)
        # instead: gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        # instead: gradients = [g / context.num_replicas_in_sync for g in gradients]
        self.optimizer.apply(gradients, self.trainable_variables)  # it adds up
        return {"loss": loss}


def make_model():
    model = Clipping([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")
    return model


# probe
