/** The kinds of colour vision: common, and without the cones for red, green or blue. */
export const VISIONS = ['common', 'protan', 'deutan', 'tritan'] as const
export type Vision = (typeof VISIONS)[number]

/** Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB. */
const SEEN: Readonly<Record<Vision, readonly (readonly number[])[]>> = {
  common: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** Returns the CIEDE2000 difference of two colours `#RRGGBB` to a kind of vision; about 2.3 is just noticeable. */
export function differenceOf(one: string, other: string, vision: Vision): number {
  return ciede2000(labOf(one, vision), labOf(other, vision))
}

/** Returns the smallest difference of two colours to any vision. */
export function leastDifferenceOf(one: string, other: string): number {
  return Math.min(...VISIONS.map((vision) => differenceOf(one, other, vision)))
}

type Lab = readonly [number, number, number]

function channelsOf(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
}

function times(matrix: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  return matrix.map((row) => row.reduce((sum, factor, at) => sum + factor * (vector[at] ?? 0), 0))
}

const XYZ = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
]
const WHITE = [0.95047, 1, 1.08883]

function labOf(color: string, vision: Vision): Lab {
  const linear = channelsOf(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  const seen = times(SEEN[vision], linear).map((part) => Math.min(Math.max(part, 0), 1))
  const [x = 0, y = 0, z = 0] = times(XYZ, seen)
    .map((part, at) => part / (WHITE[at] ?? 1))
    .map((part) => (part > 216 / 24389 ? Math.cbrt(part) : ((24389 / 27) * part + 16) / 116))
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const RADIANS = Math.PI / 180

/** Sharma, Wu and Dalal 2005. */
function ciede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)))
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)]
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)]
  const [h1, h2] = [hueOf(p1, b1), hueOf(p2, b2)]
  const turn = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * RADIANS)
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const h = c1 * c2 === 0 ? h1 + h2 : (h1 + turn / 2 + 360) % 360
  const t =
    1 -
    0.17 * Math.cos((h - 30) * RADIANS) +
    0.24 * Math.cos(2 * h * RADIANS) +
    0.32 * Math.cos((3 * h + 6) * RADIANS) -
    0.2 * Math.cos((4 * h - 63) * RADIANS)
  const sL = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2)
  const sC = 1 + 0.045 * c
  const sH = 1 + 0.015 * c * t
  const turned = 60 * Math.exp(-(((h - 275) / 25) ** 2)) * RADIANS
  const rT = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(turned)
  const [dl, dc, dh] = [(l2 - l1) / sL, (c2 - c1) / sC, dH / sH]
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rT * dc * dh)
}

function hueOf(a: number, b: number): number {
  return (Math.atan2(b, a) / RADIANS + 360) % 360
}
