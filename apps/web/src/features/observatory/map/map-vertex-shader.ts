/** A point for each node on the flat world; the globe's fragment shader gives it the same mark. */
export const mapVertexShader = `#version 300 es
precision highp float;

uniform vec2 u_centre;
uniform vec2 u_world;    // the world's size in clip space
uniform float u_turn;
uniform vec3 u_looks[3]; // core radius, halo, alpha
in vec2 a_place;
in uint a_status;
out vec3 v_look;
out float v_side;
flat out uint v_status;

void main() {
  float east = a_place.x - u_centre.x;
  // On the copy of the world that is next to the centre, or on one beside it.
  east += u_turn - floor(east + 0.5);
  v_status = a_status;
  v_look = u_looks[a_status];
  v_side = 2.0 * ceil(v_look.x + v_look.y + 1.0);
  gl_PointSize = v_side;
  gl_Position = vec4(vec2(east, u_centre.y - a_place.y) * u_world, 0.0, 1.0);
}`
