import express from 'express';
import { json } from 'body-parser';
import { connect } from './database';
import { routes } from './routes';

const PORT = Number(process.env.PORT ?? 3000);
const LIMIT = '1mb';
const app = express();

app.use(json({ limit: LIMIT }));

app.use('/api', routes);

connect(process.env.DATABASE_URL)
  .then(() => app.listen(PORT))
  .catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
