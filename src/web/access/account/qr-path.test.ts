import decodeQR from 'qr/decode.js'
import { expect, it } from 'vitest'
import { qrPath } from './qr-path.ts'

/** Returns the text that a camera reads from the picture, whose squares are this many pixels wide. */
function readFrom({ size, path }: ReturnType<typeof qrPath>, pixels = 4): string {
  const width = size * pixels
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let at = 0; at < pixels * pixels; at += 1) {
      const column = Number(x) * pixels + (at % pixels)
      const row = Number(y) * pixels + Math.floor(at / pixels)
      data.set([0, 0, 0], (row * width + column) * 4)
    }
  }
  return decodeQR({ width, height: width, data })
}

it.each([
  'otpauth://totp/Fahrplan%20Fahrschule%20Nord:office%40nord.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Fahrplan%20Fahrschule%20Nord&algorithm=SHA1&digits=6&period=30',
  `otpauth://totp/${'%C3%9C'.repeat(200)}?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ`,
])('a drawn QR code is read as its text, of %.40s…', (text) => {
  expect(readFrom(qrPath(text))).toBe(text)
})
