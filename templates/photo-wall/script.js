// The pictures come from the list in index.html. Pictures of visitors will join them here
// when this server opens its photo walls.
const photos = [...document.querySelectorAll('.wall a')]

const dialog = document.querySelector('dialog')
const large = document.querySelector('#large')
let shown = 0

// Shows the picture with this number. After the last one comes the first one again.
function show(number) {
  shown = (number + photos.length) % photos.length
  const photo = photos[shown]
  large.src = photo.href
  large.alt = photo.querySelector('img').alt
  document.querySelector('#title').textContent = photo.textContent.trim()
}

for (const [number, photo] of photos.entries()) {
  photo.addEventListener('click', (event) => {
    // Without this, the browser would leave the page and open the file.
    event.preventDefault()
    show(number)
    dialog.showModal()
  })
}

document.querySelector('#previous').addEventListener('click', () => show(shown - 1))
document.querySelector('#next').addEventListener('click', () => show(shown + 1))
document.querySelector('#close').addEventListener('click', () => dialog.close())

dialog.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowLeft') show(shown - 1)
  if (event.key === 'ArrowRight') show(shown + 1)
})

// A press beside the picture closes it.
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})
