import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, fileEntry, folderEntry, type Written, writeTar } from './archive.ts'
import { IMAGE_USER } from './base.ts'

const TYPES = 'application/vnd.oci.image'

type Layer = Written & { readonly file: string }

/**
 * Writes an image as an archive that `docker load`, `podman load` and `skopeo` read: an OCI layout, and the file `manifest.json` of
 * Docker's older format. The layers go from the lowest to the highest.
 */
export async function writeImage(
  file: string,
  layers: readonly (readonly Entry[])[],
  { name, time, scratch }: { readonly name: string; readonly time: Date; readonly scratch: string },
): Promise<Written> {
  mkdirSync(scratch, { recursive: true })
  const packed: Layer[] = []
  for (const entries of layers) {
    const fresh = join(scratch, 'layer')
    const written = await writeTar(fresh, entries, { time })
    const kept = join(scratch, written.digest)
    renameSync(fresh, kept)
    packed.push({ ...written, file: kept })
  }
  const config = blob(configOf(packed, time))
  const manifest = blob({
    schemaVersion: 2,
    mediaType: `${TYPES}.manifest.v1+json`,
    config: { mediaType: `${TYPES}.config.v1+json`, digest: `sha256:${config.digest}`, size: config.size },
    layers: packed.map(({ digest, size }) => ({
      mediaType: `${TYPES}.layer.v1.tar+gzip`,
      digest: `sha256:${digest}`,
      size,
    })),
  })
  const index = {
    schemaVersion: 2,
    mediaType: `${TYPES}.index.v1+json`,
    manifests: [
      {
        mediaType: `${TYPES}.manifest.v1+json`,
        digest: `sha256:${manifest.digest}`,
        size: manifest.size,
        annotations: {
          'io.containerd.image.name': `docker.io/library/${name}`,
          'org.opencontainers.image.ref.name': name.slice(name.indexOf(':') + 1),
        },
        platform: { architecture: 'amd64', os: 'linux' },
      },
    ],
  }
  const docker = [
    {
      Config: pathOf(config.digest),
      RepoTags: [name],
      Layers: packed.map(({ digest }) => pathOf(digest)),
    },
  ]
  const entries: Entry[] = [
    fileEntry('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    fileEntry('index.json', JSON.stringify(index)),
    fileEntry('manifest.json', JSON.stringify(docker)),
    folderEntry('blobs'),
    folderEntry('blobs/sha256'),
    ...[config, manifest].map(({ digest, text }) => fileEntry(pathOf(digest), text)),
    ...packed.map(
      (layer): Entry => ({
        path: pathOf(layer.digest),
        type: 'File',
        mode: 0o644,
        read: () => readFileSync(layer.file),
      }),
    ),
  ]
  return writeTar(file, entries, { time, plain: true })
}

/** The settings are those of the Dockerfile. */
function configOf(layers: readonly Layer[], time: Date) {
  return {
    created: time.toISOString(),
    architecture: 'amd64',
    os: 'linux',
    config: {
      User: `${IMAGE_USER}:${IMAGE_USER}`,
      Env: [
        'PATH=/app/node_modules/.bin',
        'NODE_ENV=production',
        'HOST=0.0.0.0',
        'PORT=8080',
        'DATA_DIR=/data',
      ],
      WorkingDir: '/app',
      Cmd: ['node', '--max-semi-space-size=8', 'bin/fahrplan.js', 'serve'],
      ExposedPorts: { '8080/tcp': {} },
      Volumes: { '/data': {} },
      Healthcheck: {
        Test: [
          'CMD',
          'node',
          '-e',
          "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))",
        ],
      },
      Labels: { 'org.opencontainers.image.licenses': 'MIT', 'org.opencontainers.image.title': 'fahrplan' },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ unpacked }) => `sha256:${unpacked}`) },
    history: layers.map(() => ({ created: time.toISOString(), created_by: 'npm run release' })),
  }
}

function blob(content: object) {
  const text = JSON.stringify(content)
  return { text, digest: createHash('sha256').update(text).digest('hex'), size: Buffer.byteLength(text) }
}

function pathOf(digest: string): string {
  return `blobs/sha256/${digest}`
}
