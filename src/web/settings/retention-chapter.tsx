import { useContext } from 'react'
import { Deferred } from '../ui/deferred.tsx'
import { ShownChapter } from './chapter-part.tsx'

const load = () => import('./retention.tsx')
const props = { onClose: () => undefined }

/** Reads who is due only while the chapter is shown. */
export function RetentionChapter() {
  return useContext(ShownChapter) === 'retention' ? <Deferred load={load} props={props} /> : null
}
