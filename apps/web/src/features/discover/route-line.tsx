/** The chart's graticule, and the route through the landmarks. Decorative. */
export function RouteLine({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 1104 576"
      // Stretches with the chart, because the landmarks are positioned at fractions of its width.
      preserveAspectRatio="none"
      fill="none"
      className={className}
    >
      <g className="stroke-line" vectorEffect="non-scaling-stroke">
        <path d="M0 96q552 56 1104 0M0 240q552 40 1104 0M0 384q552-20 1104 0M0 528q552-60 1104 0" />
        <path d="M184 0q-64 288 0 576M368 0q-32 288 0 576M552 0v576M736 0q32 288 0 576M920 0q64 288 0 576" />
      </g>
      <path
        d="M90 105C200 40 330 90 443 139S650 150 786 82C930 40 1090 130 1040 230S700 300 500 310S60 300 134 381C190 420 350 470 477 416S700 350 819 370"
        strokeDasharray="2 9"
        strokeLinecap="round"
        strokeWidth="2"
        className="stroke-accent/55"
      />
    </svg>
  )
}
