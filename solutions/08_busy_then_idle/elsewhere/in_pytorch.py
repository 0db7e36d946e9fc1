import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset, get_worker_info

class Rows(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, row):  # what takes long: read, decode
        return int(get_worker_info() is None)

dist.init_process_group("gloo")
loader = DataLoader(Rows(), batch_size=2)
in_the_loop = sum(int(batch.sum()) for batch in loader)
print(f"rows that the training loop reads itself: {in_the_loop} of 8")
