import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bundleBudget } from './build/bundle-budget.ts'
import { firstChunk } from './build/first-load.ts'
import { mantineStyles } from './build/mantine-styles.ts'
import { precompress } from './build/precompress.ts'

const ROOT = join(import.meta.dirname, 'src/web')

/** The app's first page: what the entry loads, the board, and the larger of the two languages. */
const DRAWN_FIRST = ['main.tsx', 'board/board-page.tsx']
const FIRST_LOAD = [...DRAWN_FIRST, 'i18n/de.ts']
const MOST_KILOBYTES = { scripts: 195, styles: 10 }

export default defineConfig({
  root: ROOT,
  plugins: [
    react(),
    mantineStyles(),
    bundleBudget({ modules: FIRST_LOAD, ...MOST_KILOBYTES }),
    precompress(),
  ],
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // An inlined file would need a policy that allows `data:` scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstChunk(ROOT, DRAWN_FIRST) }] } } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
