/* Probes received files by their bytes and measures their loudness. This file is the part that other features use. */

export type { LoudnessFigures } from './loudness-meter.ts'
export { measureMp3Loudness, measureMp4Loudness } from './measure-loudness.ts'
export { MAX_PREVIEW_BYTES, pixelsOf, probeImage } from './probe-image.ts'
export type { TagCredits } from './parse-tags.ts'
export { probeFile, readPicture, readTags } from './probe-file.ts'
export type { ProbedAudio, ProbedImage, ProbedVideo, ProbeRefusal } from './probe-result.ts'
