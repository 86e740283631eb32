// The star catcher. Its sky is 480 wide and 480 high, whatever its size on the screen.
const size = 480
const roundSeconds = 40
const find = (selector) => document.querySelector(selector)
const canvas = find('canvas')
const pen = canvas.getContext('2d')
pen.scale(2, 2)

let isPlaying = false
let secondsLeft = 0
let points = 0
/** Stars caught one after the other, without a rock. Each fifth counts double. */
let streak = 0
let boatX = size / 2
let goalX = boatX
let falling = []
let constellation = []
let secondsToNext = 0
let lastTime = 0
let tellPoints

const between = (low, high) => low + Math.random() * (high - low)
const limit = (value, low, high) => Math.min(high, Math.max(low, value))

/** Calls the listener with the points of each round that ends. */
export function onRoundEnd(listener) {
  tellPoints = listener
}

function play() {
  if (secondsLeft <= 0) {
    secondsLeft = roundSeconds
    points = 0
    streak = 0
    constellation = []
  }
  isPlaying = true
  lastTime = performance.now()
  find('#play').hidden = true
  find('#pause').disabled = false
  find('#pause').focus()
  find('#status').textContent = 'Gold counts three, each fifth in a row double. Rocks cost three!'
  requestAnimationFrame(step)
}

function stop(label, message) {
  isPlaying = false
  goalX = boatX
  find('#play').hidden = false
  find('#play').textContent = label
  find('#play').focus()
  find('#pause').disabled = true
  find('#status').textContent = message
}

function pause() {
  if (isPlaying) stop('Go on', 'Paused. Take your time.')
}

// Every picture of the game: everything moves a little, then it is drawn.
function step(time) {
  if (!isPlaying) return
  const passed = Math.min(0.05, (time - lastTime) / 1000)
  lastTime = time
  secondsLeft -= passed
  // From 1 to 2 as the round goes on: more falls, and faster.
  const haste = 2 - secondsLeft / roundSeconds
  secondsToNext -= passed * haste
  if (secondsToNext <= 0) {
    secondsToNext = between(0.4, 0.9)
    const luck = Math.random()
    const kind = luck < 0.15 ? 'gold' : luck > 0.8 ? 'rock' : 'star'
    falling.push({ kind, x: between(30, 450), y: -20, speed: between(90, 170) * haste })
  }
  boatX = limit(boatX + limit(goalX - boatX, -460 * passed, 460 * passed), 46, 434)
  for (const thing of falling) {
    thing.y += thing.speed * passed
    thing.isCaught = Math.abs(thing.x - boatX) < 44 && Math.abs(thing.y - 420) < 16
    if (thing.isCaught) take(thing)
  }
  falling = falling.filter(({ isCaught, y }) => !isCaught && y < size + 20)
  if (secondsLeft <= 0) finish()
  else requestAnimationFrame(step)
  draw()
  find('#points').textContent = String(points).padStart(3, '0')
  find('#seconds').textContent = String(Math.ceil(secondsLeft)).padStart(2, '0')
}

function take({ kind }) {
  if (kind === 'rock') {
    streak = 0
    points = Math.max(0, points - 3)
    return
  }
  streak += 1
  points += (kind === 'gold' ? 3 : 1) * (streak % 5 === 0 ? 2 : 1)
  const last = constellation.at(-1) ?? { x: size / 2, y: 160 }
  const x = limit(last.x + between(-90, 90), 40, 440)
  const y = limit(last.y + between(-70, 70), 40, 290)
  constellation.push({ kind, x, y })
}

function finish() {
  secondsLeft = 0
  falling = []
  stop('Play again', `Your constellation has ${constellation.length} stars: ${points} points.`)
  tellPoints(points)
}

// Stars have ten corners, each second one further inside. Rocks are rounder.
function drawThing({ kind, x, y }, radius) {
  pen.fillStyle = { gold: '#ffd166', star: '#e9f7ff', rock: '#b08a9e' }[kind]
  pen.beginPath()
  for (let corner = 0; corner < 10; corner += 1) {
    const reach = corner % 2 === 0 ? radius : radius * (kind === 'rock' ? 0.85 : 0.45)
    const angle = (corner / 5 - 0.5) * Math.PI
    pen.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle))
  }
  pen.fill()
}

// The sails and the hull. The letters and numbers are those of a path in SVG.
const boat = [
  ['#d4f66b', new Path2D('M3-62Q44-40 36-8L3-4Z')],
  ['#ff86bd', new Path2D('M-3-52Q-32-30-28-8L-3-4Z')],
  ['#f4e4cf', new Path2D('M-44 0Q0 10 44 0 34 26 0 26T-44 0Z')],
]

function draw() {
  pen.clearRect(0, 0, size, size)
  pen.strokeStyle = '#d4f66b88'
  pen.lineWidth = 1.5
  pen.beginPath()
  for (const { x, y } of constellation) pen.lineTo(x, y)
  pen.stroke()
  for (const star of constellation) drawThing(star, 5)
  for (const thing of falling) drawThing(thing, thing.kind === 'star' ? 11 : 15)
  pen.save()
  pen.translate(boatX, 424)
  for (const [colour, part] of boat) {
    pen.fillStyle = colour
    pen.fill(part)
  }
  pen.restore()
}

draw()
find('#play').addEventListener('click', play)
find('#pause').addEventListener('click', pause)
document.addEventListener('visibilitychange', pause)

const edges = { ArrowLeft: 0, ArrowRight: size }
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') pause()
  if (!isPlaying || !(event.key in edges)) return
  event.preventDefault()
  goalX = edges[event.key]
})
document.addEventListener('keyup', (event) => {
  if (edges[event.key] === goalX) goalX = boatX
})

function steer(event) {
  goalX = ((event.clientX - canvas.getBoundingClientRect().left) / canvas.clientWidth) * size
}
canvas.addEventListener('pointerdown', steer)
canvas.addEventListener('pointermove', steer)
