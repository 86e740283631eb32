import { gridLines } from './grid-lines.ts'
import { Island } from './island.tsx'
import { landDots } from './land-dots.ts'

/**
 * The picture above the fold: a planet, satellites around it, islands in front of it, and signals between
 * them. Each moving part is an element of its own that animates only transform and opacity, so that the
 * compositor can move it without the main thread.
 */
export function Scene() {
  return (
    <div aria-hidden className="scene">
      <div className="scene-glow" />
      <Rings sweep={1} />
      <Orbits half="back" />
      <Planet />
      <Rings sweep={0} />
      <Signals />
      <Orbits half="front" />
      {(['media', 'creative', 'social'] as const).map((kind) => (
        <div key={kind} className={`scene-island scene-island-${kind}`}>
          <Island kind={kind} />
        </div>
      ))}
    </div>
  )
}

/** The far half of both orbits (1) or the near half (0), as the arc's sweep flag. */
function Rings({ sweep }: { sweep: 0 | 1 }) {
  return (
    <svg viewBox="0 0 1000 1000" className="scene-lines">
      <path
        className="scene-ring"
        d={`M60 520a440 128 0 0 ${sweep} 880 0`}
        transform="rotate(-20 500 520)"
      />
      <path
        className="scene-ring"
        d={`M130 520a370 96 0 0 ${sweep} 740 0`}
        transform="rotate(38 500 520)"
      />
    </svg>
  )
}

/** Both satellites, drawn twice: behind the planet and in front of it. */
function Orbits({ half }: { half: 'back' | 'front' }) {
  return (
    <>
      <div className={`scene-orbit scene-orbit-wide scene-orbit-${half}`}>
        <div className="scene-turn">
          <div className="scene-carried">
            <Satellite />
          </div>
        </div>
      </div>
      <div className={`scene-orbit scene-orbit-steep scene-orbit-${half}`}>
        <div className="scene-turn">
          <div className="scene-carried">
            <span className="scene-probe" />
          </div>
        </div>
      </div>
    </>
  )
}

function Signals() {
  return (
    <>
      <svg viewBox="0 0 1000 1000" className="scene-lines">
        <path
          className="scene-path"
          d="M498 383A324 324 0 0 1 792 150M451 590A276 276 0 0 0 119 548M712 444A158 158 0 0 1 742 690"
        />
      </svg>
      {['north', 'west', 'east', 'south'].map((place) => (
        <span key={place} className={`scene-node scene-node-${place}`} />
      ))}
      {['north', 'west', 'east'].map((place) => (
        <span key={place} className={`scene-signal scene-signal-${place}`} />
      ))}
    </>
  )
}

function Planet() {
  return (
    <svg viewBox="0 0 500 500" className="scene-planet">
      <defs>
        <radialGradient id="planet-sea" cx="0.3" cy="0.22" r="0.9">
          <stop offset="0" stopColor="#1c5a80" />
          <stop offset="0.4" stopColor="#0c2a4a" />
          <stop offset="1" stopColor="#060b1a" />
        </radialGradient>
        <radialGradient id="planet-air">
          <stop offset="0.8" stopColor="#22d3ee" stopOpacity="0.42" />
          <stop offset="0.84" stopColor="#22d3ee" stopOpacity="0.22" />
          <stop offset="0.9" stopColor="#22d3ee" stopOpacity="0.08" />
          <stop offset="1" stopColor="#22d3ee" stopOpacity="0" />
        </radialGradient>
        <radialGradient id="planet-night" cx="0.26" cy="0.2" r="0.95">
          <stop offset="0.4" stopColor="#05070f" stopOpacity="0" />
          <stop offset="0.92" stopColor="#05070f" stopOpacity="0.92" />
        </radialGradient>
        <linearGradient id="planet-rim" x1="0.1" y1="0.05" x2="0.7" y2="0.75">
          <stop offset="0" stopColor="#cffafe" />
          <stop offset="0.4" stopColor="#22d3ee" stopOpacity="0.55" />
          <stop offset="0.85" stopColor="#22d3ee" stopOpacity="0.06" />
        </linearGradient>
      </defs>
      {/* Off-centre, so that the air is bright on the day side and absent on the night side. */}
      <circle cx="234" cy="232" r="282" fill="url(#planet-air)" />
      <circle cx="250" cy="250" r="240" fill="url(#planet-sea)" />
      <path className="planet-grid" d={gridLines} />
      <path className="planet-dots" d={landDots} />
      <circle cx="250" cy="250" r="240" fill="url(#planet-night)" />
      <circle cx="250" cy="250" r="239" fill="none" strokeWidth="2.5" stroke="url(#planet-rim)" />
    </svg>
  )
}

function Satellite() {
  return (
    <svg aria-hidden viewBox="0 0 96 48" className="scene-satellite">
      <path className="satellite-wing" d="M4 15h28v18H4zM64 15h28v18H64z" />
      <path
        className="satellite-cells"
        d="M4 24h28M64 24h28M13.3 15v18M22.600 15v18M73.300 15v18M82.600 15v18M32 24h8M56 24h8"
      />
      <path className="satellite-body" d="M40 12h16v24H40z" />
      <path className="satellite-shade" d="M49 12h7v24h-7z" />
      <path className="satellite-dish" d="M42 40q6 6 12 0M48 36v7M48 12V5" />
      <path className="satellite-lamp" d="M48 4h0" />
    </svg>
  )
}
