import { glCounts, nextFrame } from './gl-counts.ts'
import { madeNodes } from './made-nodes.ts'
import type { CreateSubject, Subject } from './subject.ts'

export interface Measured {
  readonly firstDrawMs: number
  readonly dragMainMs: number
  readonly frameMs: number
  readonly drawCalls: number
  readonly idleFrames: number
  readonly pickMs: number
  readonly changeMs: number
  readonly changeFrames: number
}

const dragFrames = 60
const dragLimitMs = 6000
const picks = 41
/** The first few run uncompiled. The median of many is what a visitor gets. */
const changes = 15

/** Measures all figures of one subject with this many nodes. */
export async function measure(
  create: CreateSubject,
  count: number,
  idleMs: number,
): Promise<Measured> {
  const columns = madeNodes(count)
  const canvas = document.body.appendChild(document.createElement('canvas'))
  const startMs = performance.now()
  const subject = create(canvas, columns)
  const firstDrawMs = await firstDraw(subject, startMs)
  const drag = await measureDrag(subject)
  const pickMs = measurePick(subject)
  await rested()
  const change = await measureChange(subject, count)
  await rested()
  const framesBefore = glCounts.frames
  await new Promise((resolve) => {
    setTimeout(resolve, idleMs)
  })
  const idleFrames = glCounts.frames - framesBefore
  subject.dispose()
  canvas.remove()
  return { firstDrawMs, ...drag, idleFrames, pickMs, ...change }
}

/** The time until a complete picture is drawn. Reading a pixel waits for it. */
async function firstDraw({ canvas, isComplete }: Subject, startMs: number): Promise<number> {
  while (!isComplete()) await nextFrame()
  await nextFrame()
  await nextFrame()
  readPixel(canvas)
  return performance.now() - startMs
}

async function measureDrag(subject: Subject) {
  const mains: number[] = []
  const intervals: number[] = []
  const limitMs = performance.now() + dragLimitMs
  const drawsBefore = glCounts.draws
  const framesBefore = glCounts.frames
  let lastMs = await nextFrame()
  for (let i = 1; i <= dragFrames && performance.now() < limitMs; i++) {
    const startMs = performance.now()
    subject.turnTo(i * 3)
    const moveMs = performance.now() - startMs
    const callbacksBefore = glCounts.callbackMs
    const nowMs = await nextFrame()
    mains.push(moveMs + glCounts.callbackMs - callbacksBefore)
    intervals.push(nowMs - lastMs)
    lastMs = nowMs
  }
  const drawCalls = (glCounts.draws - drawsBefore) / (glCounts.frames - framesBefore)
  return { dragMainMs: median(mains), frameMs: median(intervals), drawCalls }
}

function measurePick(subject: Subject): number {
  const times: number[] = []
  for (let i = 0; i < picks; i++) {
    const startMs = performance.now()
    subject.pick(300 + ((i * 37) % 320), 60 + ((i * 53) % 340))
    times.push(performance.now() - startMs)
  }
  return median(times)
}

async function measureChange(subject: Subject, count: number) {
  const times: number[] = []
  const frames: number[] = []
  for (let round = 0; round < changes; round++) {
    const indexes = Uint32Array.from({ length: count / 100 }, (_, i) => i * 100 + round)
    const statuses = Uint8Array.from(indexes, (index) => (index + round) % 3)
    await drawn()
    const framesBefore = glCounts.frames
    const callbacksBefore = glCounts.callbackMs
    const startMs = performance.now()
    subject.setStatuses(indexes, statuses)
    const setMs = performance.now() - startMs
    await drawn()
    times.push(setMs + glCounts.callbackMs - callbacksBefore)
    frames.push(glCounts.frames - framesBefore)
  }
  return { changeMs: median(times), changeFrames: Math.max(...frames) }
}

/** Resolves when the requested frame is drawn, and a further one would have been. */
async function drawn(): Promise<void> {
  for (let i = 0; i < 3; i++) await nextFrame()
}

/** Resolves when the timers of a drag are over too. */
async function rested(): Promise<void> {
  await drawn()
  await new Promise((resolve) => {
    setTimeout(resolve, 150)
  })
  await nextFrame()
}

export function readPixel(canvas: HTMLCanvasElement): void {
  const gl = canvas.getContext('webgl2')
  gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
