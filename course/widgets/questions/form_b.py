"""Form B: asked after the course; question by question it is parallel to form A."""

from course.widgets.questions.form import Form, Question, options

FORM_B = Form(
    "B",
    (
        Question(
            "a number formed from a part of the batch",
            ("02", "03"),
            "A recommender is trained by Keras fit, with a loss of its owner's. On "
            "four GPUs, with the same global batch, the logged loss is much lower from "
            "the first step on. The model is no better.",
            "def call(self, y_true, y_pred):\n"
            "    scores = tf.matmul(y_pred, y_true, transpose_b=True)\n"
            "    own = tf.range(tf.shape(y_true)[0])\n"
            "    return sparse_softmax_cross_entropy_with_logits(own, scores)",
            "What happens on four GPUs?",
            options(
                (
                    "The logged loss is that of GPU 0, a quarter of the sum.",
                    "fit logs a mean over all GPUs. Each of their losses is lower.",
                ),
                (
                    "The gradients of four GPUs are added, so training is faster.",
                    "The loss is lower before any step was made.",
                ),
                (
                    "Each row is compared with fewer others.",
                    "",
                ),
                (
                    "Each GPU gets the same rows, and learns them by heart.",
                    "fit hands each replica its share.",
                ),
            ),
            "C",
            "https://github.com/tensorflow/recommenders/issues/561",
        ),
        Question(
            "who reads which rows",
            ("14", "04"),
            "Four processes train a PyTorch model with DistributedDataParallel; each "
            "runs this, from its own random state. The sampler deals out places "
            "in `train`, by its seed and the epoch.",
            "train, valid = random_split(data, [0.9, 0.1])\n"
            "sampler = DistributedSampler(train, seed=0)\n"
            "loader = DataLoader(train, batch_size=32, sampler=sampler)\n"
            "for epoch in range(20):\n"
            "    sampler.set_epoch(epoch)\n"
            "    train_one_epoch(ddp_model, loader)",
            "What do the processes read?",
            options(
                (
                    "Some train on what others keep for validation.",
                    "",
                ),
                (
                    "All four train on all rows of train.",
                    "The sampler gives each of them a quarter, of its own train.",
                ),
                (
                    "In every epoch, the same rows in the same order.",
                    "set_epoch changes the order in each epoch.",
                ),
                (
                    "What they should: the sampler's seed is the same for all.",
                    "It deals out positions in train. What stands there is another "
                    "row in every process.",
                ),
            ),
            "A",
        ),
        Question(
            "who waits for whom",
            ("17",),
            "Training on three machines stands still at the end of the first epoch, "
            "without an error. This is where each of them is.",
            "worker 0  after step 900   evaluate > all_reduce     train.py:63\n"
            "worker 1  after step 900   evaluate > all_reduce     train.py:63\n"
            "worker 2  after step 900   train_step > all_reduce   train.py:41",
            "Where do you look first?",
            options(
                (
                    "At worker 2's machine: it is slower than the others.",
                    "All have made 900 steps, and it stands in a call, not at work.",
                ),
                (
                    "At line 63: two of three hang there.",
                    "They wait for the third, which will never come to line 63.",
                ),
                (
                    "At the network: all three hang in an all-reduce.",
                    "An all-reduce ends when all have come to the same one.",
                ),
                (
                    "At the rows of worker 2: it has a batch more.",
                    "",
                ),
            ),
            "D",
        ),
        Question(
            "is anything wrong at all?",
            ("15", "03"),
            "Two workers train with this under MultiWorkerMirroredStrategy; worker 1 "
            "has another seed. Both start with the same w, and end with the same w, "
            "3e-8 away from one device. In the last step worker 1 has no rows. Each "
            "logs a loss of its own rows, and these differ.",
            "tf.random.set_seed(7 + worker)\n"
            "with strategy.scope():\n"
            "    w = tf.Variable(tf.random.normal([2]))\n"
            "for batch in data.batch(8):\n"
            "    step(*[part[worker::2] for part in batch])   # sums over all workers",
            "What do you mend?",
            options(
                (
                    "The seeds: workers must start with equal ones, or they differ.",
                    "A variable made in the scope gets the chief's value on all "
                    "workers; you see that both start equal.",
                ),
                (
                    "Nothing.",
                    "",
                ),
                (
                    "The last step: a worker without rows must leave it out.",
                    "Then the other one would wait for it, for ever.",
                ),
                (
                    "The losses: workers that log other losses are not in step.",
                    "Each logs what its own rows give. The weights are equal.",
                ),
            ),
            "B",
        ),
        Question(
            "which number shows it",
            ("02", "15"),
            "Four processes run this PyTorch program, each on its own quarter of the "
            "rows. The loss that process 0 prints goes down nicely.",
            "torch.manual_seed(0)\n"
            "model = Net()\n"
            "for x, y in my_quarter:\n"
            "    optimizer.zero_grad()\n"
            "    loss_of(model, x, y).backward()\n"
            "    optimizer.step()\n"
            "    if rank == 0:\n"
            "        print(loss_of(model, x, y))",
            "Which number shows most surely, after one step, that something is wrong?",
            options(
                (
                    "The mean of the four losses.",
                    "Each process gets better on its own rows, so their mean goes "
                    "down, too.",
                ),
                (
                    "The accuracy of process 0's model on test data.",
                    "After one step it says little, and one model can't say what the "
                    "others hold.",
                ),
                (
                    "The same loss, but computed over all four quarters of the rows.",
                    "It goes down as long as process 0 learns anything at all.",
                ),
                (
                    "How far two processes' weights are apart.",
                    "",
                ),
            ),
            "D",
        ),
        Question(
            "why devices are idle",
            ("07", "08", "09"),
            "Four GPUs take as long for a step as one did. In the profile all four "
            "work at the same time for 60 ms, and then all wait for 340 ms. The step "
            "is one graph. One core of the processor is busy all the time.",
            "GPU 0  ##..............##......\n"
            "GPU 1  ##..............##......\n"
            "GPU 2  ##..............##......\n"
            "GPU 3  ##..............##......",
            "What do you look at next?",
            options(
                (
                    "How many threads prepare the input.",
                    "",
                ),
                (
                    "On which device the operations are placed.",
                    "All four work, and at the same time.",
                ),
                (
                    "Whether Python goes from GPU to GPU.",
                    "Then they would work one after the other.",
                ),
                (
                    "Whether the batch is too large for the memory of a GPU.",
                    "That ends in an error, not in a wait.",
                ),
            ),
            "A",
        ),
        Question(
            "what more devices do to the training",
            ("11",),
            "Somebody has trained with plain SGD, from the same weights and with the "
            "rows in the same order, and compares final weights.",
            "run  GPUs  rows on each GPU in a step  rate   epochs\n"
            " 1    1              64                0.1      5\n"
            " 2    4              64                0.1      5\n"
            " 3    4              16                0.1      5\n"
            " 4    4              64                0.4      5",
            "Which run ends with the weights of run 1?",
            options(
                (
                    "Run 2: rows on each GPU, rate and epochs are the same.",
                    "Its global batch is 256: it makes a quarter of the steps.",
                ),
                (
                    "Run 4: four times the batch, four times the rate.",
                    "That is a rule of thumb for a similar loss, not equal weights.",
                ),
                (
                    "Run 3.",
                    "",
                ),
                (
                    "None: on four GPUs the weights are always others.",
                    "Within 1e-5 they are not, where the global batch is the same and "
                    "the mean is over its rows.",
                ),
            ),
            "C",
        ),
        Question(
            "what came back after a restart",
            ("18", "19"),
            "A job was killed after step 1000, and started again. Its rate is 0.1, and "
            "a tenth of that after step 800. In the end its weights are not those of a "
            "run that was not killed. The loss after each restart looks like this:",
            "step 1000  loss 0.41\n"
            "[killed]\n"
            "restored from checkpoint ckpt-1000   # written in step 1000\n"
            "loss 0.42, then 0.55, 0.61, 0.58 ...",
            "What is most likely?",
            options(
                (
                    "The weights did not come back.",
                    "Then the loss would be that of an untrained model.",
                ),
                (
                    "The weights came back, and the step did not.",
                    "",
                ),
                (
                    "The checkpoint is damaged.",
                    "Its weights have the loss of step 1000: they were read well.",
                ),
                (
                    "Nothing is lost: on other rows, the loss is simply another one.",
                    "The loss gets worse from weights that were good: steps ten times "
                    "as long do that.",
                ),
            ),
            "B",
        ),
    ),
)
