throw new Error('no thread today');
