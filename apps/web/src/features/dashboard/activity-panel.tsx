import { ComingPanel } from './coming-panel.tsx'

/** Sketched entries: how wide the two lines of each are, and whether it is about an island. */
const entries = [
  { y: 24, first: 148, second: 204, isAboutIsland: false },
  { y: 84, first: 108, second: 168, isAboutIsland: true },
  { y: 144, first: 164, second: 188, isAboutIsland: false },
]

export function ActivityPanel() {
  return (
    <ComingPanel
      id="recent-activity"
      title="Recent activity"
      about="When your devices come and go, and who has dropped in on your islands."
    >
      <svg
        aria-hidden
        viewBox="0 0 560 188"
        preserveAspectRatio="xMinYMin slice"
        fill="none"
        className="h-48 w-full"
      >
        <path d="M44 0v188" strokeDasharray="2 6" className="stroke-line-strong" />
        {entries.map(({ y, first, second, isAboutIsland }) => (
          <g key={y}>
            <circle cx="44" cy={y} r="12" className="fill-panel stroke-line-strong" />
            <circle
              cx="44"
              cy={y}
              r="4"
              className={isAboutIsland ? 'fill-island/70' : 'fill-accent/70'}
            />
            <rect x="76" y={y - 10} width={first} height="8" rx="4" className="fill-line-strong" />
            <rect x="76" y={y + 6} width={second} height="6" rx="3" className="fill-line" />
          </g>
        ))}
      </svg>
    </ComingPanel>
  )
}
