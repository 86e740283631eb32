import { bareSubject } from './bare-subject.ts'
import { nextFrame } from './gl-counts.ts'
import { globeSubject } from './globe-subject.ts'
import { madeNodes } from './made-nodes.ts'
import { type Measured, measure, readPixel } from './measure.ts'

const subjects = { bare: bareSubject, globe: globeSubject } as const
export type SubjectName = keyof typeof subjects

declare global {
  interface Window {
    measureSubject(name: SubjectName, count: number, idleMs: number): Promise<Measured>
    mountSubject(name: SubjectName, times: number): Promise<void>
  }
}

window.measureSubject = (name, count, idleMs) => measure(subjects[name], count, idleMs)

const columns = madeNodes(1000)
window.mountSubject = async (name, times) => {
  for (let i = 0; i < times; i++) {
    const canvas = document.body.appendChild(document.createElement('canvas'))
    const subject = subjects[name](canvas, columns)
    await nextFrame()
    await nextFrame()
    readPixel(canvas)
    subject.dispose()
    canvas.remove()
    await nextFrame()
  }
}
