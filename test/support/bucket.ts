import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { startFauxqs } from 'fauxqs'

/** A server that speaks the protocol of S3, with one bucket, for services that are not embedded. */
export interface TestBucket {
  /** The settings with which a service keeps its documents there. */
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function startBucket(): Promise<TestBucket> {
  const server = await startFauxqs({ port: 0, logger: false })
  const endpoint = `http://127.0.0.1:${server.port}`
  const credentials = { accessKeyId: 'spec', secretAccessKey: 'spec' }
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: 'documents' }))
  client.destroy()
  return {
    settings: {
      DOCUMENTS_URL: 's3://documents',
      DOCUMENTS_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    stop: async () => {
      await server.stop()
    },
  }
}
