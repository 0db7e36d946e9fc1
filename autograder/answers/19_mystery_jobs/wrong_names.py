"""A neighbour's name for every job."""

EXPECT = {
    "19/my_name_1": "WRONG",
    "19/my_name_2": "WRONG",
    "19/my_name_3": "WRONG",
    "19/my_name_4": "WRONG",
    "19/my_name_5": "WRONG",
    "19/my_name_6": "WRONG",
}

my_name_1 = {"12"}
my_name_2 = {"10"}
my_name_3 = {"08"}
my_name_4 = {"17"}
my_name_5 = {"07"}
my_name_6 = {"04"}
