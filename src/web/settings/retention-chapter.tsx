import { useContext } from 'react'
import { Deferred } from '../ui/deferred.tsx'
import { ShownChapter } from './chapter-part.tsx'

const load = () => import('./keeping.tsx')
const props = { onClose: () => undefined }

/** Reads who is due only while the chapter is shown. */
export function KeepingChapter() {
  return useContext(ShownChapter) === 'keeping' ? <Deferred load={load} props={props} /> : null
}
