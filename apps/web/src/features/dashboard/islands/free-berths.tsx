/** A sketch of future islands. Decorative. */
export function FreeBerths() {
  return (
    <svg aria-hidden viewBox="0 0 400 188" fill="none" className="h-40 w-full">
      <ellipse
        cx="200"
        cy="104"
        rx="176"
        ry="46"
        strokeDasharray="2 7"
        strokeLinecap="round"
        className="stroke-line-strong"
      />
      <g>
        <path d="m136 92 22 34 20 8 22 36 24-38 20-8 20-32Z" className="fill-ground" />
        <path d="m136 92 22 34 20 8 22 36 24-38 20-8 20-32Z" className="fill-island/30" />
        <ellipse cx="200" cy="92" rx="64" ry="12" className="fill-hover" />
        <ellipse cx="200" cy="92" rx="64" ry="12" className="fill-island/40 stroke-island" />
        <path d="m176 90 11-34 11 34Zm16 2 9-26 9 26Z" className="fill-island/75" />
        <path d="M222 92V78l10-8 10 8v14Z" className="fill-island" />
      </g>
      {/* The free berths beside it. */}
      <ellipse
        cx="50"
        cy="122"
        rx="30"
        ry="7"
        strokeDasharray="4 4"
        className="fill-panel stroke-island/70"
      />
      <ellipse
        cx="346"
        cy="80"
        rx="26"
        ry="6"
        strokeDasharray="4 4"
        className="fill-panel stroke-island/70"
      />
    </svg>
  )
}
