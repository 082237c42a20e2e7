/** Web Mercator in radians, y to the south: shapes stay true at every zoom. Latitudes are bounded to where shops are. */
export function project(longitude: number, latitude: number): [x: number, y: number] {
  const bounded = Math.max(-80, Math.min(80, latitude))
  return [(longitude * Math.PI) / 180, -Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360))]
}

/** The inverse of `project`. */
export const unproject = (x: number, y: number): [longitude: number, latitude: number] => [
  (x * 180) / Math.PI,
  (Math.atan(Math.exp(-y)) * 360) / Math.PI - 90,
]
