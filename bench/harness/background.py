"""Background subtraction by others, frame by frame; run as a program of its own to be timed alike."""

import json
import sys
import time

import cv2
import numpy as np

from harness.scenes import DIFFERENCE

BLOB, HOLE = 30, 100  # pixels
MEMORY, EVERY = 50, 5  # of the temporal median: so many frames, one in so many


def cleaned(mask):
    """Median, closing, small blobs out, small holes filled."""
    mask = cv2.morphologyEx(cv2.medianBlur(mask, 5), cv2.MORPH_CLOSE, np.ones((5, 5), "u1"))
    mask = np.where(large(mask, BLOB, 8), np.uint8(255), np.uint8(0))
    return np.where(large(255 - mask, HOLE, 4), mask, np.uint8(255))


def large(mask, area, neighbours):
    """Pixels that are not in a small region of the mask; of those outside of it, none or all."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=neighbours)
    keep = stats[:, cv2.CC_STAT_AREA] >= area
    keep[0] = neighbours == 4  # what is not mask: holes are sought in the complement
    return keep[labels]


def opencv(make):
    def masks(frames, clean):
        subtractor = make(detectShadows=not clean)
        for frame in frames:
            found = np.where(subtractor.apply(frame) == 255, np.uint8(255), np.uint8(0))
            yield cleaned(found) if clean else found

    return masks


def median(frames, clean):
    """The median of frames of the last ten seconds or so; the first ones wait for a few."""
    kept = list(frames[:MEMORY:EVERY])
    middle = np.median(kept, 0)
    for number, frame in enumerate(frames):
        if number % EVERY == 0 and number >= MEMORY:
            kept = [*kept[1 - MEMORY // EVERY:], frame]
            middle = np.median(kept, 0)
        found = differences(frame, middle)
        yield cleaned(found) if clean else found


def differences(frame, background):
    far = np.abs(frame.astype("f4") - background) > DIFFERENCE
    return np.where(far, np.uint8(255), np.uint8(0))


METHODS = {"MOG2": opencv(cv2.createBackgroundSubtractorMOG2),
           "KNN": opencv(cv2.createBackgroundSubtractorKNN), "median": median}


def main():
    job = json.loads(sys.argv[1])
    cv2.setNumThreads(job["threads"])
    frames = np.load(job["frames"])
    start = time.perf_counter()
    masks = list(METHODS[job["method"]](frames, job["clean"]))
    seconds = time.perf_counter() - start
    np.save(job["masks"], masks)
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main()
