"""Form A: asked before the course."""

from course.widgets.questions.form import Form, Question, options

FORM_A = Form(
    "A",
    (
        Question(
            "a number formed from a part of the batch",
            ("02", "03"),
            "A Keras model is trained by fit, with a loss class of its owner's. On one "
            "GPU all is well. On four, with the same global batch, the logged loss is "
            "much higher, and the first steps are far too long.",
            "class Own(tf.keras.losses.Loss):\n"
            "    def call(self, y_true, y_pred):\n"
            "        return tf.reduce_mean((y_true - y_pred) ** 2)",
            "What happens on four GPUs?",
            options(
                (
                    "Four means, each of a quarter of the batch, are added up.",
                    "",
                ),
                (
                    "Each GPU gets the whole batch, so each row counts four times.",
                    "fit hands each replica its share. What is wrong is done with the "
                    "shares.",
                ),
                (
                    "The four copies of the weights drift apart, as nothing combines "
                    "the gradients.",
                    "A Keras optimizer does combine them: it adds them up. The copies "
                    "stay equal.",
                ),
                (
                    "Nothing is wrong: four GPUs make four times as many steps.",
                    "With the same global batch there are as many steps as before.",
                ),
            ),
            "A",
            "https://github.com/keras-team/keras/issues/16285",
        ),
        Question(
            "who reads which rows",
            ("14", "04"),
            "Four processes train a PyTorch model with DistributedDataParallel. A "
            "sampler deals out the rows; its order is drawn from a seed and from the "
            "epoch that sampler.set_epoch(epoch) names, 0 at first.",
            "sampler = DistributedSampler(data, shuffle=True, seed=0)\n"
            "loader = DataLoader(data, batch_size=32, sampler=sampler)\n"
            "for epoch in range(20):\n"
            "    for x, y in loader:\n"
            "        train_step(ddp_model, x, y)",
            "What do the processes read?",
            options(
                (
                    "What they should: shuffle=True gives a new order in each epoch.",
                    "Nobody calls set_epoch: seed and epoch are the same in all of "
                    "them.",
                ),
                (
                    "All four read all rows, as seed=0 is the same for all.",
                    "An equal seed is what makes the four parts fit together.",
                ),
                (
                    "In every epoch, each reads the same quarter in the same order.",
                    "",
                ),
                (
                    "Each has an order of its own, so some rows are read twice in an "
                    "epoch, and others never.",
                    "With an equal seed all draw the same order, and each takes its "
                    "part of it.",
                ),
            ),
            "C",
        ),
        Question(
            "who waits for whom",
            ("17",),
            "Training on three machines stands still, without an error. This is where "
            "each of them is.",
            "worker 0  after step 1200   train_step > all_reduce   train.py:41\n"
            "worker 1  after step 1200   train_step > all_reduce   train.py:41\n"
            "worker 2  after step 1200   save > open               train.py:57",
            "Where do you look first?",
            options(
                (
                    "At the network between workers 0 and 1: both hang in it.",
                    "Both are where they should be: an all-reduce ends when all have "
                    "come.",
                ),
                (
                    "At what worker 2 opens: the others wait until it comes.",
                    "",
                ),
                (
                    "At worker 0: as the chief, it must begin the all-reduce.",
                    "An all-reduce has no chief. Two are in it, and one has not come.",
                ),
                (
                    "At the batch size: step 1201 needs more memory.",
                    "Too little memory ends in an error, and two workers are not "
                    "even at work.",
                ),
            ),
            "B",
        ),
        Question(
            "is anything wrong at all?",
            ("03", "09"),
            "The weights of this job, after 100 steps on four devices, are 4e-8 away "
            "from those of one device. In each epoch's last step, one device has no "
            "rows. The first step takes 6 s, the others 0.1 s.",
            "def replica_step(x, y):\n"
            "    total, rows = gradient_sum(w, x, y), tf.cast(len(y), tf.float32)\n"
            '    total, rows = context.all_reduce("SUM", [total, rows])\n'
            "    w.assign_sub(0.1 * total / rows)",
            "What do you mend?",
            options(
                (
                    "The device without rows: it pulls the mean down.",
                    "It adds 0 to the sum and 0 to the number of rows.",
                ),
                (
                    "The difference of 4e-8: some seed is not set.",
                    "That is the order of additions. A seed would show in the second "
                    "digit.",
                ),
                (
                    "The first step: TensorFlow should not trace.",
                    "It traces once, and 99 steps use the graph.",
                ),
                (
                    "Nothing.",
                    "",
                ),
            ),
            "D",
        ),
        Question(
            "which number shows it",
            ("02", "15"),
            "A JAX program keeps a copy of w on each of 8 devices. The loss it prints "
            "goes down nicely.",
            '@functools.partial(jax.pmap, axis_name="devices")\n'
            "def step(w, x, y):\n"
            "    gradient = jax.grad(loss)(w, x, y)\n"
            "    return w - 0.1 * gradient\n"
            "\n"
            "print(loss(w[0], x[0], y[0]))   # after each step",
            "Which number shows most surely, after one step, that something is wrong?",
            options(
                (
                    "The largest difference between the 8 copies of w.",
                    "",
                ),
                (
                    "The same loss, printed with more digits.",
                    "It is the loss of device 0 on its own rows: it goes down whether "
                    "or not the others take part.",
                ),
                (
                    "The mean of the 8 losses.",
                    "Each device gets better on its own rows, so their mean goes down, "
                    "too.",
                ),
                (
                    "The accuracy of w[0] on test data.",
                    "After one step it says little, and w[0] alone can't say what the "
                    "others hold.",
                ),
            ),
            "A",
        ),
        Question(
            "why devices are idle",
            ("07", "08", "09"),
            "Four GPUs with equal models share each batch, and take as long for a step "
            "as one did. In the profile each works for 100 ms of a step's 400 ms, and "
            "never two at the same time. The input is ready all the time.",
            "GPU 0  ####............\n"
            "GPU 1  ....####........\n"
            "GPU 2  ........####....\n"
            "GPU 3  ............####",
            "What do you look at next?",
            options(
                (
                    "How many elements are prefetched.",
                    "The input is ready, and a slow input would keep all four idle at "
                    "the same time.",
                ),
                (
                    "How fast the GPUs can exchange their gradients.",
                    "A slow exchange comes after work that all did at the same time.",
                ),
                (
                    "Whether the step runs as one graph.",
                    "",
                ),
                (
                    "Whether the batch is too small for four GPUs.",
                    "Then each would work for a shorter time, but all at once.",
                ),
            ),
            "C",
        ),
        Question(
            "what more devices do to the training",
            ("11",),
            "On one GPU: batches of 256, rate 0.1, 10 epochs. On eight: batches of 256 "
            "on each GPU, rate 0.1, 10 epochs. It takes an eighth of the time, and the "
            "loss at the end is higher.",
            "",
            "Which training of one GPU gives the same weights as the eight?",
            options(
                (
                    "Batches of 256, rate 0.1, 10 epochs.",
                    "With batches of 256 one GPU makes eight times as many steps.",
                ),
                (
                    "Batches of 2048, rate 0.1, 10 epochs.",
                    "",
                ),
                (
                    "Batches of 256, rate 0.8, 10 epochs.",
                    "The rate is what one might raise; nobody did.",
                ),
                (
                    "None: the replicas end with different weights.",
                    "They all apply the same mean gradient.",
                ),
            ),
            "B",
        ),
        Question(
            "what came back after a restart",
            ("18", "19"),
            "A job was killed after step 1000, and started again. On rows that it has "
            "not seen, an untrained model of this kind has a loss of about 2.3, one "
            "after step 900 of 0.5.",
            "step 1000  loss 0.41\n"
            "[killed]\n"
            "restored from checkpoint ckpt-1000   # written in step 1000\n"
            "step 1001  loss 2.31",
            "What is most likely?",
            options(
                (
                    "The rows come in another order now, which the model has not seen.",
                    "A trained model is better than that on new rows, too.",
                ),
                (
                    "The optimizer's momentum was lost.",
                    "Then the first loss would be 0.41, and only later ones others.",
                ),
                (
                    "The checkpoint is older than step 1000.",
                    "Weights of a little earlier would be nearly as good.",
                ),
                (
                    "The weights did not come back, and nothing said so.",
                    "",
                ),
            ),
            "D",
        ),
    ),
)
