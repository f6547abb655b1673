import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const SHEETS = join(import.meta.dirname, '../node_modules/@mantine/core/styles')
const CLASS = /\bm_[0-9a-f]{6,8}\b/g

/** Fails the build if `dialogs/mantine.css` does not import the style sheet of a Mantine component in use. */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle)
      const scripts = outputs.flatMap((output) => (output.type === 'chunk' ? [output.code] : []))
      const styles = outputs.flatMap((output) =>
        output.type === 'asset' && output.fileName.endsWith('.css') ? [String(output.source)] : [],
      )
      const used = classesIn(scripts)
      const styled = classesIn(styles)
      const missing = readdirSync(SHEETS).filter(
        (sheet) =>
          !sheet.endsWith('.layer.css') &&
          [...classesIn([readFileSync(join(SHEETS, sheet), 'utf8')])].some(
            (name) => used.has(name) && !styled.has(name),
          ),
      )
      if (missing.length > 0) this.error(`dialogs/mantine.css does not import ${missing.join(', ')}`)
    },
  }
}

function classesIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(CLASS) ?? []))
}
