import { randomFillSync, randomInt } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

/** A buffer of random bytes: requesting 16 takes a hundredth of a booking, and a whole buffer takes no longer. */
const page = new Uint8Array(4096)
let used = page.length

let count = randomInt(2 ** 31)

/** Returns a UUID of version 7 (RFC 9562 §5.7), greater than all earlier ones of this process. */
export function newId(): string {
  count = (count + 1) >>> 0
  return uuidv7({ rng: sixteenBytes, seq: count })
}

function sixteenBytes(): Uint8Array {
  if (used === page.length) {
    randomFillSync(page)
    used = 0
  }
  used += 16
  return page.subarray(used - 16, used)
}
