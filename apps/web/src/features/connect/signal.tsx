import RadioTower from 'virtual:icon/radio-tower'

/** A mast that listens for the device. Decorative: the text beside it says the same. */
export function Signal() {
  return (
    <span
      aria-hidden
      className="relative grid size-14 shrink-0 place-items-center rounded-full border border-line-strong bg-panel text-muted"
    >
      <span className="absolute inset-0 hidden rounded-full border border-accent/50 motion-safe:block motion-safe:animate-signal" />
      <span className="absolute inset-0 hidden rounded-full border border-accent/50 motion-safe:block motion-safe:animate-signal [animation-delay:1.4s]" />
      <RadioTower className="size-6" />
    </span>
  )
}
