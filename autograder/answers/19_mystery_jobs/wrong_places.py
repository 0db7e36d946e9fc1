"""One step late, one column to the right, or no place at all."""

EXPECT = {
    "19/my_place_1": "WRONG",
    "19/my_place_2": "WRONG",
    "19/my_place_3": "WRONG",
    "19/my_place_4": "WRONG",
    "19/my_place_5": "WRONG",
    "19/my_place_6": "WRONG",
}

my_name_1 = ...
my_place_1 = (4, "working", 2)
my_name_2 = {"02"}
my_place_2 = None
my_name_3 = ...
my_place_3 = (2, "working", 1)
my_name_4 = ...
my_place_4 = (1, "off", 0.537)
my_name_5 = ...
my_place_5 = None
my_name_6 = ...
my_place_6 = (1, "off", 0.0314)
