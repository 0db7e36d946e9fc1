"""A model with its own `train_step` trains worse: nobody adds the gradients up.

https://github.com/keras-team/keras/issues/19308 (Keras 3.0.1, whose optimizer did not;
here the step applies the gradients itself.)
"""

import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, halves)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

x = tf.random.stateless_normal([16, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)


class Linear(tf.keras.Sequential):
    def train_step(self, data):
        rows, labels = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=labels, y_pred=self(rows, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        # and: context = tf.distribute.get_replica_context()
        # and: gradients = context.all_reduce("sum", gradients)
        for variable, gradient in zip(self.trainable_variables, gradients, strict=True):
            variable.value.assign_sub(0.05 * gradient)
        return {"loss": loss}


with strategy.scope():
    model = Linear([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile(loss="mse")
# probe
model.fit(x, y, batch_size=8, epochs=2, verbose=0, callbacks=[watch])  # noqa: F821
