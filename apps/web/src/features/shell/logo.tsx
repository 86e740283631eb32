/** A world, its orbit and two islands on it. Decorative: the name stands beside it. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" fill="none" className={className}>
      <ellipse
        cx="16"
        cy="16"
        rx="13.5"
        ry="6"
        transform="rotate(-28 16 16)"
        strokeWidth="1.5"
        className="stroke-edge"
      />
      <circle cx="16" cy="16" r="5.5" className="fill-accent" />
      <circle cx="26.6" cy="8.3" r="2.5" className="fill-island" />
      <circle cx="5.4" cy="23.3" r="1.75" className="fill-ink" />
    </svg>
  )
}
