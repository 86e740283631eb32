// The one place where the scores of others come from. Today it holds examples and cannot keep new
// ones. Change it here when this server opens its scoreboards; the rest of this file can stay.
const island = {
  isOpen: false,
  best: () => [
    { name: 'Nia', points: 41 },
    { name: 'Emil', points: 36 },
    { name: 'Captain Roux', points: 29 },
  ],
  add() {},
}

// Your own best scores stay in this browser. Where it refuses, they last until you leave the page.
let ownBest = []
try {
  ownBest = JSON.parse(localStorage.getItem('best')) ?? []
} catch {
  // The list stays empty.
}

const find = (selector) => document.querySelector(selector)

function showScores(list, scores) {
  const rows = scores.map(({ name, points }) => {
    const row = document.createElement('li')
    const value = document.createElement('b')
    row.className = 'flaps'
    value.textContent = points
    row.append(name, value)
    return row
  })
  list.replaceChildren(...rows)
}

function keepScore(points) {
  const name = new Date().toLocaleDateString('en', { day: 'numeric', month: 'long' })
  ownBest = [...ownBest, { name, points }].toSorted((a, b) => b.points - a.points).slice(0, 5)
  try {
    localStorage.setItem('best', JSON.stringify(ownBest))
  } catch {
    // It lasts until the page is closed.
  }
  showScores(find('#own'), ownBest)
  island.add(points)
}

showScores(find('#own'), ownBest)
showScores(find('#shared'), island.best())
find('#shared-note').hidden = island.isOpen

// The game. Its sky is 480 wide and 480 high, whatever its size on the screen.
const size = 480
const canvas = find('canvas')
const pen = canvas.getContext('2d')
pen.scale(2, 2)

let isPlaying = false
let secondsLeft = 0
let points = 0
let boatX = size / 2
let goalX = boatX
let stars = []
let constellation = []
let secondsToNextStar = 0
let lastTime = 0

const between = (low, high) => low + Math.random() * (high - low)
const limit = (value, low, high) => Math.min(high, Math.max(low, value))

function play() {
  if (secondsLeft <= 0) {
    secondsLeft = 40
    points = 0
    constellation = []
  }
  isPlaying = true
  lastTime = performance.now()
  find('#play').hidden = true
  find('#pause').disabled = false
  find('#pause').focus()
  find('#status').textContent = 'Catch the stars! Golden ones count three. Escape pauses.'
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
  secondsToNextStar -= passed
  if (secondsToNextStar <= 0) {
    secondsToNextStar = between(0.4, 0.9)
    const isGold = Math.random() < 0.15
    stars.push({ x: between(30, 450), y: -20, speed: between(90, 190), isGold })
  }
  boatX = limit(boatX + limit(goalX - boatX, -420 * passed, 420 * passed), 46, 434)
  for (const star of stars) {
    star.y += star.speed * passed
    star.isCaught = Math.abs(star.x - boatX) < 44 && Math.abs(star.y - 420) < 16
    if (star.isCaught) addToConstellation(star)
  }
  stars = stars.filter((star) => !star.isCaught && star.y < size + 20)
  if (secondsLeft <= 0) finish()
  else requestAnimationFrame(step)
  draw()
  find('#points').textContent = String(points).padStart(3, '0')
  find('#seconds').textContent = String(Math.ceil(secondsLeft)).padStart(2, '0')
}

function addToConstellation({ isGold }) {
  points += isGold ? 3 : 1
  const last = constellation.at(-1) ?? { x: size / 2, y: 160 }
  const x = limit(last.x + between(-90, 90), 40, 440)
  const y = limit(last.y + between(-70, 70), 40, 290)
  constellation.push({ x, y, isGold })
}

function finish() {
  secondsLeft = 0
  stars = []
  stop('Play again', `Your constellation has ${constellation.length} stars: ${points} points.`)
  keepScore(points)
}

function drawStar({ x, y, isGold }, radius) {
  pen.fillStyle = isGold ? '#ffd166' : '#e9f7ff'
  pen.beginPath()
  for (let corner = 0; corner < 10; corner += 1) {
    const reach = corner % 2 === 0 ? radius : radius * 0.45
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
  for (const star of constellation) drawStar(star, 5)
  for (const star of stars) drawStar(star, star.isGold ? 15 : 11)
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
