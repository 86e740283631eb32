import { neighbourColors } from '../../../neighbours/neighbour-colours.ts'
import { createProgram, glslColor, uniformLocations } from './gl-program.ts'
import { leastShapedRadiusPx, type NodeStyle, shownCode, statusColors } from './node-style.ts'

interface NodePointsOptions {
  /** Takes `a_shown`, `u_looks[6]` and `u_ratio`. Sets gl_PointSize, v_look, v_side, v_status and v_tint. */
  readonly vertexShader: string
  readonly position: { readonly name: string; readonly size: number }
}

/**
 * All nodes as points in one draw call. Positions are uploaded once. A status change rewrites one byte for
 * each node and, if a single node changed, the drawing order: five bytes a node in total.
 */
export function createNodePoints(
  gl: WebGL2RenderingContext,
  { vertexShader, position }: NodePointsOptions,
) {
  const program = createProgram(gl, vertexShader, nodeFragmentShader)
  const uniform = uniformLocations(gl, program, ['u_looks', 'u_ratio'])
  const vertexArray = gl.createVertexArray()
  const positions = gl.createBuffer()
  const statuses = gl.createBuffer()
  const orders = gl.createBuffer()
  const styles = new Float32Array(3 * 6)
  let order = createDrawOrder(new Uint8Array(0))
  let shown = new Uint8Array(0)
  let tintOf: Uint8Array = new Uint8Array(0)

  gl.bindVertexArray(vertexArray)
  const positionAt = gl.getAttribLocation(program, position.name)
  gl.bindBuffer(gl.ARRAY_BUFFER, positions)
  gl.enableVertexAttribArray(positionAt)
  gl.vertexAttribPointer(positionAt, position.size, gl.FLOAT, false, 0, 0)
  const statusAt = gl.getAttribLocation(program, 'a_shown')
  gl.bindBuffer(gl.ARRAY_BUFFER, statuses)
  gl.enableVertexAttribArray(statusAt)
  gl.vertexAttribIPointer(statusAt, 1, gl.UNSIGNED_BYTE, 0, 0)
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, orders)
  gl.bindVertexArray(null)

  const uploadShown = () => {
    gl.bindVertexArray(vertexArray)
    gl.bindBuffer(gl.ARRAY_BUFFER, statuses)
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, shown)
  }

  return {
    program,
    get count() {
      return order.indexes.length
    },
    /** `tints` has a neighbour's colour from 1, and 0 for the nodes of this installation. */
    setNodes(places: Float32Array, status: Uint8Array, tints: Uint8Array) {
      order = createDrawOrder(status)
      tintOf = tints
      shown = status.map((code, index) => shownByte(code, tints[index]))
      gl.bindVertexArray(vertexArray)
      gl.bindBuffer(gl.ARRAY_BUFFER, positions)
      gl.bufferData(gl.ARRAY_BUFFER, places, gl.STATIC_DRAW)
      gl.bindBuffer(gl.ARRAY_BUFFER, statuses)
      gl.bufferData(gl.ARRAY_BUFFER, shown, gl.DYNAMIC_DRAW)
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order.indexes, gl.DYNAMIC_DRAW)
      gl.bindVertexArray(null)
    },
    /** `status` has the current status of every node, `changes` the nodes that changed. */
    setStatuses(status: Uint8Array, ...changes: readonly Uint32Array[]) {
      let hasMoved = false
      for (const changed of changes) {
        const alone = new Uint32Array(changed.length)
        let count = 0
        // Without calls, like the drawing order: calls would stay interpreted.
        for (let i = 0; i < changed.length; i++) {
          const index = changed[i] ?? 0
          const before = shown[index] ?? 0
          const isGrouped = before % looks >= grouped
          shown[index] =
            before - (before % looks) + (status[index] ?? 0) + (isGrouped ? grouped : 0)
          if (isGrouped) continue
          alone[count] = index
          count += 1
        }
        if (count === 0) continue
        order.follow(alone.subarray(0, count), status)
        hasMoved = true
      }
      uploadShown()
      if (hasMoved) gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, order.indexes)
      gl.bindVertexArray(null)
    },
    /** The group of each node, 0 for single nodes; undefined if there are no groups. */
    setGroups(status: Uint8Array, groupOf: Uint32Array | undefined) {
      for (let index = 0; index < shown.length; index++) {
        const code = shownCode(status[index] ?? 0, (groupOf?.[index] ?? 0) > 0)
        shown[index] = shownByte(code, tintOf[index])
      }
      order = createDrawOrder(status)
      uploadShown()
      gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, order.indexes)
      gl.bindVertexArray(null)
    },
    use(style: NodeStyle, pixelRatio: number) {
      for (const [i, { coreRadiusPx, haloRadiusPx, alpha }] of style.entries()) {
        styles[i * 3] = coreRadiusPx * pixelRatio
        styles[i * 3 + 1] = haloRadiusPx * pixelRatio
        styles[i * 3 + 2] = alpha
      }
      gl.useProgram(program)
      gl.uniform3fv(uniform('u_looks'), styles)
      gl.uniform1f(uniform('u_ratio'), pixelRatio)
    },
    draw() {
      gl.bindVertexArray(vertexArray)
      gl.drawElements(gl.POINTS, order.indexes.length, gl.UNSIGNED_INT, 0)
      gl.bindVertexArray(null)
    },
    dispose() {
      for (const buffer of [positions, statuses, orders]) gl.deleteBuffer(buffer)
      gl.deleteVertexArray(vertexArray)
      gl.deleteProgram(program)
    },
  }
}

/** One byte for each node, so that a neighbour's colour costs nothing in a frame: look and tint. */
function shownByte(code: number, tint = 0): number {
  return code + looks * tint
}

const looks = 6
/** For vertex shaders: what `a_shown` has of a node. */
export const readShown = `
  v_tint = a_shown / ${looks}u;
  v_status = a_shown % 3u;
  v_look = u_looks[a_shown % ${looks}u];`
/** How far a neighbour's ring reaches beyond a mark, in CSS pixels. */
export const tintReachPx = 4.5

/** Look codes from here on belong to nodes in a group. */
const grouped = shownCode(0, true)
const shaped = leastShapedRadiusPx.toFixed(1)

/**
 * Few, large marks have shapes on a dark ground, to be readable on land and sea. Many are grains of light
 * that add up from cyan towards white, so that even the densest places differ.
 */
const nodeFragmentShader = `#version 300 es
precision highp float;

uniform float u_ratio;
in vec3 v_look;
in float v_side;
flat in uint v_status;
flat in uint v_tint;
out vec4 color;

const vec3 ONLINE = ${glslColor(statusColors.online)};
const vec3 OFFLINE = ${glslColor(statusColors.offline)};
const vec3 OTHER = ${glslColor(statusColors.other)};
const vec3 TINTS[${neighbourColors.length}] = vec3[](${neighbourColors.map(glslColor).join(', ')});

void main() {
  vec2 q = (gl_PointCoord - 0.5) * v_side;
  float radius = v_look.x;
  float away = length(q);
  bool isShaped = radius > ${shaped} * u_ratio;
  float cover = clamp(radius - away + 0.5, 0.0, 1.0);
  float ground = isShaped ? clamp((radius + 2.5 * u_ratio - away) / (1.5 * u_ratio), 0.0, 1.0) * 0.6 : 0.0;
  vec3 tint;
  if (v_status == 2u) {
    float reach = v_look.y + radius * 0.4;
    float halo = v_look.y > 0.0 ? max(1.0 - max(away - radius * 0.6, 0.0) / reach, 0.0) : 0.0;
    float heart = isShaped ? smoothstep(radius * 0.75, 0.0, away) * 0.75 : 0.0;
    cover = max(cover, halo * halo * 0.55);
    tint = mix(ONLINE, vec3(1.0), heart);
    ground = 0.0;
  } else if (v_status == 1u) {
    float width = max(1.6 * u_ratio, radius * 0.4);
    cover *= isShaped ? 1.0 - clamp(radius - width - away + 0.5, 0.0, 1.0) : 1.0;
    tint = OFFLINE;
  } else {
    cover = isShaped ? clamp(radius - (abs(q.x) + abs(q.y)) * 0.80 + 0.5, 0.0, 1.0) : cover;
    tint = OTHER;
  }
  if (v_tint > 0u && !isShaped) tint = mix(tint, TINTS[v_tint - 1u], 0.75);
  float alpha = (cover + ground * (1.0 - cover)) * v_look.z;
  if (!isShaped && v_status == 2u) alpha *= 0.35;
  color = vec4((tint * cover + vec3(0.02, 0.03, 0.06) * ground * (1.0 - cover)) * v_look.z, alpha);
  if (v_tint == 0u || !isShaped) return;
  float off = abs(away - radius - 2.75 * u_ratio);
  color = mix(color, vec4(TINTS[v_tint - 1u], 1.0) * v_look.z, clamp(0.75 * u_ratio - off + 0.5, 0.0, 1.0));
}`

const highestStatus = 2

/**
 * Indexes in drawing order: other, offline, online. A change of status moves a node across one or two
 * borders by swapping: a thousand changes among 100,000 nodes take 0.1 ms, sorting takes 1 ms.
 */
export function createDrawOrder(first: Uint8Array) {
  const statusOf = first.slice()
  const indexes = new Uint32Array(statusOf.length)
  const ranks = new Uint32Array(statusOf.length)
  const begins = new Uint32Array(highestStatus + 1)
  fill()

  // By index, here and in the node store: an iterator is ten times slower until the loop is compiled.
  function fill() {
    for (let index = 0; index < statusOf.length; index++) {
      const status = statusOf[index] ?? 0
      for (let later = status + 1; later <= highestStatus; later++)
        begins[later] = beginOf(later) + 1
    }
    const next = Uint32Array.from(begins)
    for (let index = 0; index < statusOf.length; index++) {
      const status = statusOf[index] ?? 0
      const rank = next[status] ?? 0
      next[status] = rank + 1
      indexes[rank] = index
      ranks[index] = rank
    }
  }

  function beginOf(status: number): number {
    return begins[status] ?? 0
  }

  return {
    indexes,
    // One loop without calls. The engine compiles it while it runs; calls would stay interpreted.
    follow(changed: Uint32Array, statuses: Uint8Array) {
      for (let i = 0; i < changed.length; i++) {
        const index = changed[i] ?? 0
        const status = statuses[index]
        let from = statusOf[index]
        if (from === undefined || status === undefined || from === status) continue
        statusOf[index] = status
        let rank = ranks[index] ?? 0
        const step = from < status ? 1 : -1
        while (from !== status) {
          // Upwards the node becomes the first of its new status, downwards the last.
          const border = step === 1 ? from + 1 : from
          const begin = begins[border] ?? 0
          const there = step === 1 ? begin - 1 : begin
          begins[border] = step === 1 ? begin - 1 : begin + 1
          const other = indexes[there] ?? 0
          indexes[rank] = other
          ranks[other] = rank
          indexes[there] = index
          rank = there
          from += step
        }
        ranks[index] = rank
      }
    },
  }
}
