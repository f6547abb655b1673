/** Licences that allow to use and to pass on what the release holds, by their SPDX names. MPL-2.0 asks for the changes of its own files, of which there are none. */
export const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'MPL-2.0',
  'Python-2.0',
  'PSF-2.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'Bitstream-Vera',
])

/** Licences of the libraries that the image passes on as Debian built them: a program may be linked with them whatever its own licence is. */
const ALLOWED_IN_IMAGE: ReadonlySet<string> = new Set([
  'LGPL-2.1-or-later',
  'GPL-3.0-or-later WITH GCC-exception-3.1',
])

/** Licences of packages whose manifest names none: read in their file `LICENSE`. */
export const READ_IN_FILE: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  'png-js': 'MIT',
  suncalc: 'BSD-2-Clause',
}

/** Returns the licence of a package as an SPDX expression; undefined if nobody has read it. */
export function licenceOf(name: string, stated: string | undefined): string | undefined {
  return READ_IN_FILE[name] ?? stated
}

/** Whether an SPDX expression leaves a choice that is allowed, or asks only for what is. */
export function isAllowed(expression: string | undefined): boolean {
  if (!expression) return false
  const bare = expression.replace(/^\(|\)$/g, '')
  if (bare.includes(' AND ')) return bare.split(' AND ').every((one) => ALLOWED.has(one))
  return bare.split(' OR ').some((one) => ALLOWED.has(one))
}

/** Whether the image may hold a library of Debian with this licence. */
export function isAllowedInImage(licence: string): boolean {
  return ALLOWED_IN_IMAGE.has(licence)
}
