#!/bin/sh
# A fit on a cluster: sbatch examples/slurm.sh samples.npy model.h5
# One process per node, with a thread per processor. The state is saved now and then, and when the
# time is nearly over; submit the same command again to go on from there.
#SBATCH --job-name=tamis
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120
set -eu
input=$1
model=$2
state=${model%.h5}.state.h5

set -- --checkpoint "$state" --checkpoint-every 500
if [ -e "$state" ]; then set -- "$@" --resume "$state"; fi
srun tamis fit "$input" --rank "${RANK:-49}" --out "$model" --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
