/** Counts WebGL calls and requested frames. */
export const glCounts = { draws: 0, textures: 0, frames: 0, callbackMs: 0 }

const gl = WebGL2RenderingContext.prototype
const draws = [
  'drawArrays',
  'drawElements',
  'drawArraysInstanced',
  'drawElementsInstanced',
] as const
for (const name of draws) counted(gl, name, 'draws')
counted(gl, 'texImage2D', 'textures')

const ask = window.requestAnimationFrame.bind(window)
window.requestAnimationFrame = (callback) =>
  ask((nowMs) => {
    const startMs = performance.now()
    callback(nowMs)
    glCounts.callbackMs += performance.now() - startMs
    glCounts.frames += 1
  })

/** A frame that is not counted. */
export const nextFrame = (): Promise<number> => new Promise(ask)

function counted(target: object, name: string, count: 'draws' | 'textures') {
  const plain: unknown = Reflect.get(target, name)
  if (typeof plain !== 'function') throw new Error(`No ${name} to count`)
  Reflect.set(target, name, function countedCall(this: unknown, ...values: unknown[]): unknown {
    glCounts[count] += 1
    return Reflect.apply(plain, this, values)
  })
}
