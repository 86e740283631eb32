/** Where each of these uniforms is; a name that the driver optimised away has none, which WebGL bears. */
export function uniformLocations<Name extends string>(
  gl: WebGL2RenderingContext,
  program: WebGLProgram,
  names: readonly Name[],
): (name: Name) => WebGLUniformLocation | null {
  const locations = new Map(names.map((name) => [name, gl.getUniformLocation(program, name)]))
  return (name) => locations.get(name) ?? null
}
