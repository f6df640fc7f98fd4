import com.fasterxml.jackson.annotation.*;
import com.fasterxml.jackson.core.*;
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.*;
import com.fasterxml.jackson.databind.jsontype.impl.LaissezFaireSubTypeValidator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.*;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;

/**
 * Reads a document a line, as GenericJackson2JsonRedisSerializer does, and writes the object again: as Spring Data
 * Redis 3 is configured ("spring"), or with every value typed and instants as seconds ("everything").
 */
public class Echo {
  public static void main(String[] args) throws Exception {
    ObjectMapper read = mapper(true, true), write = mapper(args[0].equals("spring"), args[0].equals("spring"));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      Object object = read.readValue(line, Object.class);
      out.println(object.getClass().getName() + "\t" + write.writeValueAsString(object));
    }
  }

  static ObjectMapper mapper(boolean asSpring, boolean asText) {
    ObjectMapper mapper = new ObjectMapper();
    mapper.setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
    mapper.registerModule(instants(asText));
    if (asSpring) mapper.setDefaultTyping(new Spring(mapper.getPolymorphicTypeValidator()).init(JsonTypeInfo.Id.CLASS, null).inclusion(JsonTypeInfo.As.PROPERTY));
    else mapper.activateDefaultTyping(LaissezFaireSubTypeValidator.instance, ObjectMapper.DefaultTyping.EVERYTHING, JsonTypeInfo.As.PROPERTY);
    return mapper;
  }

  /** The typing of Spring Data Redis 3: everything but enums, primitives and what is final in java.*. */
  static class Spring extends ObjectMapper.DefaultTypeResolverBuilder {
    static final Set<Class<?>> WRAPPERS = Set.of(Boolean.class, Byte.class, Character.class, Double.class, Float.class, Integer.class, Long.class, Short.class);

    Spring(PolymorphicTypeValidator validator) { super(ObjectMapper.DefaultTyping.EVERYTHING, validator); }

    @Override public ObjectMapper.DefaultTypeResolverBuilder withDefaultImpl(Class<?> type) { return this; }

    @Override public boolean useForType(JavaType type) {
      if (type.isJavaLangObject()) return true;
      while (type.isArrayType()) type = type.getContentType();
      while (type.isReferenceType()) type = type.getReferencedType();
      Class<?> raw = type.getRawClass();
      if (type.isEnumType() || raw.isPrimitive() || WRAPPERS.contains(raw)) return false;
      if (type.isFinal() && raw.getPackageName().startsWith("java")) return false;
      return !TreeNode.class.isAssignableFrom(raw);
    }
  }

  /** Instants as the module for java.time writes them: ISO text, or seconds with nanoseconds. */
  static SimpleModule instants(boolean asText) {
    SimpleModule module = new SimpleModule();
    module.addSerializer(Instant.class, new StdSerializer<Instant>(Instant.class) {
      @Override public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
        if (asText) out.writeString(value.toString());
        else out.writeNumber(new BigDecimal(value.getEpochSecond() + "." + String.format("%09d", value.getNano())));
      }

      @Override public void serializeWithType(Instant value, JsonGenerator out, SerializerProvider provider, TypeSerializer typing) throws IOException {
        var prefix = typing.writeTypePrefix(out, typing.typeId(value, asText ? JsonToken.VALUE_STRING : JsonToken.VALUE_NUMBER_FLOAT));
        serialize(value, out, provider);
        typing.writeTypeSuffix(out, prefix);
      }
    });
    module.addDeserializer(Instant.class, new StdDeserializer<Instant>(Instant.class) {
      @Override public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
        return Instant.parse(in.getText());
      }
    });
    return module;
  }
}
