export const PAGE_BYTES = 8192

const WORDS = PAGE_BYTES / 4
const LANES = 32
const PRIME = 16_777_619
const CHECKSUM_AT = 4

/** The initial values of the lanes in PostgreSQL's checksum (`storage/checksum_impl.h`). */
const BASES = Uint32Array.of(
  0x5b1f36e9,
  0xb8525960,
  0x02ab50aa,
  0x1de66d2a,
  0x79ff467a,
  0x9bb9f8a3,
  0x217e7cd2,
  0x83e13d2c,
  0xf8d4474f,
  0xe39eb970,
  0x42c6ae16,
  0x993216fa,
  0x7b093b5d,
  0x98daff3c,
  0xf718902a,
  0x0b1c9cdb,
  0xe58f764b,
  0x187636bc,
  0x5d7b3bb1,
  0xe73de7de,
  0x92bec979,
  0xcca6c0b2,
  0x304a0979,
  0x85aa43d4,
  0x783125bb,
  0x6ca8eaa2,
  0xe407eac6,
  0x4b5cfc3e,
  0x9fbf8c76,
  0x15ca20be,
  0xf2ca9fd3,
  0x959bd756,
)

const lanes = new Int32Array(LANES)

export function pageStateOf(page: Buffer, block: number): 'intact' | 'empty' | 'damaged' {
  const words = new Int32Array(page.buffer, page.byteOffset, WORDS)
  const halves = new Uint16Array(page.buffer, page.byteOffset, PAGE_BYTES / 2)
  const written = halves[CHECKSUM_AT] ?? 0
  if (written === 0) return words.every((word) => word === 0) ? 'empty' : 'damaged'
  halves[CHECKSUM_AT] = 0
  return written === (((sumOf(words) ^ block) >>> 0) % 65_535) + 1 ? 'intact' : 'damaged'
}

function sumOf(words: Int32Array): number {
  lanes.set(BASES)
  for (let row = 0; row < WORDS; row += LANES) {
    for (let lane = 0; lane < LANES; lane += 1) mix(lane, words[row + lane] ?? 0)
  }
  for (let lane = 0; lane < LANES; lane += 1) {
    mix(lane, 0)
    mix(lane, 0)
  }
  return lanes.reduce((sum, lane) => sum ^ lane, 0)
}

function mix(lane: number, word: number): void {
  const mixed = (lanes[lane] ?? 0) ^ word
  lanes[lane] = Math.imul(mixed, PRIME) ^ (mixed >>> 17)
}
