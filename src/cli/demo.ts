import type { ProcessCommand } from './command.ts'
export const demo: ProcessCommand = {
  kind: 'process',
  name: 'demo',
  summary: '',
  options: {},
  run: async () => undefined,
}
