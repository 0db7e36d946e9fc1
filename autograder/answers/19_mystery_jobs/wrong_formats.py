"""What is no name, no place and no job."""

EXPECT = {
    "19/my_name_1": "CRASHED",
    "19/my_name_2": "CRASHED",
    "19/my_place_1": "CRASHED",
    "19/my_place_3": "CRASHED",
    "19/my_job_3": "CRASHED",
}

my_name_1 = {"hang"}
my_name_2 = None
my_place_1 = (5, "waits", 1)
my_name_3 = ...
my_place_3 = "step 1"
my_job_3 = "with tf.device"
