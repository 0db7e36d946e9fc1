"""All six jobs named and located, as read from their tables."""

EXPECT = {
    "19/my_name_1": "RIGHT",
    "19/my_place_1": "RIGHT",
    "19/my_name_2": "RIGHT",
    "19/my_place_2": "RIGHT",
    "19/my_name_3": "RIGHT",
    "19/my_place_3": "RIGHT",
    "19/my_name_4": "RIGHT",
    "19/my_place_4": "RIGHT",
    "19/my_name_5": "RIGHT",
    "19/my_place_5": "RIGHT",
    "19/my_name_6": "RIGHT",
    "19/my_place_6": "RIGHT",
}

my_name_1 = {"16"}
my_place_1 = (7, "working", 1)
my_name_2 = set()
my_place_2 = None
my_name_3 = "06"
my_place_3 = (1, "working", 1)
my_name_4 = {18}
my_place_4 = (0, "off", 0.777)
my_name_5 = ["08"]
my_place_5 = [1, "reads", 1]
my_name_6 = {"04", "03"}
my_place_6 = (1, "rows", 2)
