import { Island } from './island.tsx'
import { Planet } from './planet.tsx'
import { Satellite } from './satellite.tsx'

/**
 * The picture above the fold: a planet, satellites around it, islands in front of it, and signals between
 * them. Each moving part is an element of its own that animates only transform and opacity, so that the
 * compositor can move it without the main thread.
 */
export function Scene() {
  return (
    <div aria-hidden className="scene">
      <div className="scene-glow" />
      <svg viewBox="0 0 1000 1000" className="scene-lines">
        <path
          className="scene-ring"
          d="M60 520a440 128 0 0 1 880 0"
          transform="rotate(-20 500 520)"
        />
        <path
          className="scene-ring"
          d="M130 520a370 96 0 0 1 740 0"
          transform="rotate(38 500 520)"
        />
      </svg>
      <Orbits half="back" />
      <Planet />
      <svg viewBox="0 0 1000 1000" className="scene-lines">
        <path
          className="scene-ring"
          d="M60 520a440 128 0 0 0 880 0"
          transform="rotate(-20 500 520)"
        />
        <path
          className="scene-ring"
          d="M130 520a370 96 0 0 0 740 0"
          transform="rotate(38 500 520)"
        />
      </svg>
      <Signals />
      <Orbits half="front" />
      <div className="scene-island scene-island-media">
        <Island kind="media" />
      </div>
      <div className="scene-island scene-island-creative">
        <Island kind="creative" />
      </div>
      <div className="scene-island scene-island-social">
        <Island kind="social" />
      </div>
    </div>
  )
}

/**
 * Both satellites, drawn twice: behind the planet on the far half of their orbit, in front of it on the
 * near half.
 */
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

/** Online devices on the globe, and the signals that they send to the islands. */
function Signals() {
  return (
    <>
      <svg viewBox="0 0 1000 1000" className="scene-lines">
        <path
          className="scene-path"
          d="M498 383A324 324 0 0 1 792 150M451 590A276 276 0 0 0 119 548M712 444A158 158 0 0 1 742 690"
        />
      </svg>
      <span className="scene-node scene-node-north" />
      <span className="scene-node scene-node-west" />
      <span className="scene-node scene-node-east" />
      <span className="scene-node scene-node-south" />
      <span className="scene-signal scene-signal-north" />
      <span className="scene-signal scene-signal-west" />
      <span className="scene-signal scene-signal-east" />
    </>
  )
}
