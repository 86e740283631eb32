/** A satellite with two solar panels. */
export function Satellite() {
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
